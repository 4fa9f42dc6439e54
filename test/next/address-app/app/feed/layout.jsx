export default function Layout({ children, side }) {
  return (
    <>
      {children}
      {side}
    </>
  )
}
