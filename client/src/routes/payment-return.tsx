export default function Screen() {
  return (
    <div className="page">
      <h1>Payment</h1>
    </div>
  );
}
