const scripts = new Map<string, Promise<void>>();

/** Runs another site's script, once however often it is asked for; after a failure it is tried again. */
export function loadScript(address: string): Promise<void> {
  const loading = scripts.get(address);
  if (loading) return loading;
  const loaded = new Promise<void>((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: address });
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      scripts.delete(address);
      script.remove();
      reject(new Error(`${address} did not load.`));
    });
    document.head.append(script);
  });
  scripts.set(address, loaded);
  return loaded;
}

/** The stand-in for an outside service's script, which the page names where the shop runs without that service. */
export const standInScript = (name: 'stripe' | 'google-identity'): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}-script"]`)?.content;
