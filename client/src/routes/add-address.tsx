export default function Screen() {
  return (
    <div className="page">
      <h1>Add Shipping Address</h1>
    </div>
  );
}
