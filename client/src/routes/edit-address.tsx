export default function Screen() {
  return (
    <div className="page">
      <h1>Edit Shipping Address</h1>
    </div>
  );
}
