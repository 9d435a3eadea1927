import { render } from 'preact';
import { App } from './app.tsx';
import { createApi } from './live/api.ts';
import { begin, tokenIn } from './live/begin.ts';
import { createModel } from './live/model.ts';
import { ModelContext } from './live/use-model.ts';

const model = createModel(createApi());
const page = document.querySelector('#page');
if (page !== null) {
  render(
    <ModelContext.Provider value={model}>
      <App />
    </ModelContext.Provider>,
    page,
  );
}
void begin(model);
// Opening a new link in a window that shows the page changes only the fragment.
addEventListener('hashchange', () => {
  if (tokenIn(location.hash) !== undefined) void begin(model);
});
