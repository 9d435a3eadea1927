/** What the system answers, or `undefined` if it takes too long: questions to a disk cannot be taken back. */
export async function answerWithin<Answer>(
  asked: Promise<Answer>,
  milliseconds: number,
): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
