export default function Layout({ children, over }) {
  return (
    <>
      {children}
      {over}
    </>
  )
}
