/** Takes `{ viewer }: { viewer: AdminViewer }`. */
export default function ImportRoom() {
  return null;
}
