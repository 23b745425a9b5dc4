export default function Screen() {
  return (
    <div className="page">
      <h1>Admin Dashboard</h1>
    </div>
  );
}
