// Before anything is painted: the theme that this browser chose.
try {
  const theme = localStorage.getItem('minimal:theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the system's theme is shown.
}
