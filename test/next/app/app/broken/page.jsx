import { connection } from 'next/server'
import { Suspense } from 'react'

async function Broken() {
  await connection()
  throw new Error('the page broke')
}

export default function Page() {
  return (
    <Suspense>
      <Broken />
    </Suspense>
  )
}
