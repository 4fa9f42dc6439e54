import { connection } from 'next/server'
import { Suspense } from 'react'
import { ask } from '../../../ask.js'

async function Answer({ params }) {
  await connection()
  const { id } = await params
  return <p>{await ask(id)}</p>
}

/** Nobody wrapped it. */
export default function Page({ params }) {
  return (
    <Suspense>
      <Answer params={params} />
    </Suspense>
  )
}
