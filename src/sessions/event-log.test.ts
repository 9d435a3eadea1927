import { describe, expect, test } from 'vitest';
import { EventLog, eventId, parseEventId } from './event-log.ts';

describe('the id of an event', () => {
  test.each([
    ['abc', 0],
    ['a-_9', 1],
    ['abc', 123_456_789],
  ])('of %s at %i is read back', (stream, place) => {
    expect(parseEventId(eventId(stream, place))).toEqual({ stream, place });
  });

  test.each([
    '',
    '.',
    '.1',
    'a.',
    'a.0',
    'a.01',
    'a.-1',
    'a.1.1',
    'a b',
    'a.1234567890',
    'ä',
    'x'.repeat(1_025),
  ])('is not %j', (id) => {
    expect(parseEventId(id)).toBeUndefined();
  });
});

describe('a log of events', () => {
  test('forgets from the front, and says so', () => {
    const log = new EventLog('s', 2);
    for (const message of ['a', 'b', 'c']) log.append(message);
    expect(log.after(0)).toBeUndefined();
    expect(log.after(1)).toEqual([
      { id: 's.2', message: 'b' },
      { id: 's.3', message: 'c' },
    ]);
    expect(log.after(3)).toEqual([]);
    expect(log.after(4)).toBeUndefined();
  });
});
