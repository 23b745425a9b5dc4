import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyTheme, rememberedTheme } from '~/session/theme';
import { App } from '~/app/app';
import '~/ui/fonts/fonts.css';
import '~/ui/tokens.css';
import '~/ui/base.css';
import '~/ui/text.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');

applyTheme(rememberedTheme());

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
