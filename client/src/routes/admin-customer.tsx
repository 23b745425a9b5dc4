/** Takes `{ viewer }: { viewer: AdminViewer }`. */
export default function CustomerRoom() {
  return null;
}
