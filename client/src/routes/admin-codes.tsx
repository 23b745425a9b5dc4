/** Takes `{ viewer }: { viewer: AdminViewer }`. */
export default function DiscountCodesRoom() {
  return null;
}
