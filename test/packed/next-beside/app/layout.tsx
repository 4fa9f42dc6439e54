import type { Metadata } from 'next'

export const metadata: Metadata = { title: 'A project', description: 'As create-next-app makes it' }

export default function RootLayout({ children }: LayoutProps<'/'>) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
