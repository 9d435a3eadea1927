import { render } from 'preact';
import { createApi } from './api.ts';
import { App } from './app.tsx';
import { ApiError } from './api.ts';
import { goLive } from './live.ts';
import { createModel, type Model } from './model.ts';
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

/** The secret of the link is gone from the address before anything else happens. */
async function begin({ api, refusal, status }: Model): Promise<void> {
  const [, token] = /^#([\w-]{43})$/.exec(location.hash) ?? [];
  if (token !== undefined) history.replaceState(null, '', '/');
  try {
    await api.enter(token);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // A link that was used in this very browser: its cookie is still good.
    const isBack =
      token !== undefined &&
      (await api.enter(undefined).then(
        () => true,
        () => false,
      ));
    if (!isBack) {
      refusal.value = error.view;
      status.value = 'closed';
      return;
    }
  }
  goLive(model);
}
