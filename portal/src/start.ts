import '../styles/portal.css'

/** The pages share one file; which of them runs, the document says. */
void (document.documentElement.classList.contains('hardware') ? import('./hardware/page.ts') : import('./main.ts'))
