// A package that prints, in every way, from the moment when stdin is first listened to. Plain JavaScript,
// for `node --import`.
process.stdin.on('newListener', function begin(event) {
  if (event !== 'data') return;
  process.stdin.off('newListener', begin);
  setInterval(print, 1).unref();
});

const { console: printer } = globalThis;

function print() {
  printer.log('printed with console.log');
  printer.info('printed with console.info');
  printer.debug('printed with console.debug');
  process.stdout.write('printed with process.stdout.write\n');
}
