export default function Page() {
  return <p>A photo of it is shown over it.</p>
}
