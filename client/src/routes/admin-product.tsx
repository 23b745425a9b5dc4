/** Takes `{ viewer }: { viewer: AdminViewer }`. */
export default function ProductRoom() {
  return null;
}
