/** Takes `{ viewer }: { viewer: AdminViewer }`. */
export default function DeliveryAndTaxRoom() {
  return null;
}
