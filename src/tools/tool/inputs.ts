import { z } from 'zod';
import { limits } from './answer-limits.ts';

/** A path as a caller writes it. */
export const pathText: z.ZodString = z.string().max(limits.path);

/** A list of globs; what all of them stand for together is bounded where they are compiled. */
export const globList: z.ZodArray<z.ZodString> = z.array(z.string().max(limits.glob)).max(limits.globs);
