/** Takes `{ viewer }: { viewer: AdminViewer }`. */
export default function OrdersRoom() {
  return null;
}
