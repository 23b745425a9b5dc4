/** Takes `{ viewer }: { viewer: AdminViewer }`. */
export default function OrderRoom() {
  return null;
}
