/** Takes `{ viewer }: { viewer: AdminViewer }`. */
export default function StockRoom() {
  return null;
}
