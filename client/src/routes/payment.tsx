export default function Screen() {
  return (
    <div className="page">
      <h1>Payment Details</h1>
    </div>
  );
}
