export default function Page() {
  return <p>Each folder below `made` is a way to cache.</p>
}
