// A node of 2026-07-28 whose tool seals its state: PORT of the balancer, keys as in ROOTWARD_SEALING_KEY.
import { readSealingKeys } from '../../../.build/src/serve/open-sessions.js';
import { openEndpoint } from '../../../.build/test/support/http/open-endpoint.js';

const [front, sealingKey] = process.argv.slice(2);
const sealingKeys = await readSealingKeys({ sealingKey });
const { port } = await openEndpoint({ hosts: [`127.0.0.1:${front}`], sealingKeys });
process.stdout.write(`${port}\n`);
