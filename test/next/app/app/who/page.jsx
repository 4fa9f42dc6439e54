import { svcObserve, svcUser } from '@svc/next'
import { observe } from '@svc/tracing'
import { Suspense } from 'react'

const search = observe(async (query) => [query], { name: 'search', asType: 'retriever' })

async function Documents({ query }) {
  const found = await svcObserve('documents', () => search(query), { input: query })
  return <ul>{found}</ul>
}

async function Visitor({ searchParams }) {
  const { query, as } = await searchParams
  const user = as ? await svcUser(async () => as) : await svcUser()
  return (
    <main>
      <h1>{user}</h1>
      <Documents query={query} />
    </main>
  )
}

export default function Page({ searchParams }) {
  return (
    <Suspense>
      <Visitor searchParams={searchParams} />
    </Suspense>
  )
}
