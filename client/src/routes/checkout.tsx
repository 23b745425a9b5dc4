export default function Screen() {
  return (
    <div className="page">
      <h1>Select Delivery Address</h1>
    </div>
  );
}
