import { render } from 'preact';
import { createApi } from './api.ts';
import { App } from './app.tsx';
import { begin, tokenIn } from './begin.ts';
import { createModel } from './model.ts';
import { ModelContext } from './use-model.ts';

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
// A new link that is opened where the page already is changes nothing but the fragment.
addEventListener('hashchange', () => {
  if (tokenIn(location.hash) !== undefined) void begin(model);
});
