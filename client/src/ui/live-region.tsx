/** Says a change aloud that is only seen otherwise. */
export function LiveRegion({ children }: { children: string }) {
  return (
    <p className="visually-hidden" role="status" aria-live="polite">
      {children}
    </p>
  );
}
