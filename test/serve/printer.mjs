// A package that prints, in every way, from the moment on at which somebody listens to stdin. Plain JavaScript,
// for `node --import`.
process.stdin.on('newListener', function begin(event) {
  if (event !== 'data') return;
  process.stdin.off('newListener', begin);
  setInterval(print, 1).unref();
});

function print() {
  console.log('printed with console.log');
  console.info('printed with console.info');
  console.debug('printed with console.debug');
  process.stdout.write('printed with process.stdout.write\n');
}
