import { svcObserve } from '@svc/next'
import { observe } from '@svc/tracing'
import { connection } from 'next/server'
import { Suspense } from 'react'

const look = observe(async () => 'found', { name: 'inside' })

async function cached(key) {
  'use cache'
  return `${key} ${await look()} ${Math.random()}`
}

async function Found({ searchParams }) {
  await connection()
  const { key } = await searchParams
  return <p>{await svcObserve('outside', () => cached(key))}</p>
}

export default function Page({ searchParams }) {
  return (
    <Suspense>
      <Found searchParams={searchParams} />
    </Suspense>
  )
}
