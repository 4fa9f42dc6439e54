import { svcObserve, svcUser } from '@svc/next'
import { Thumb } from './thumb'

export default async function Home() {
  const user = await svcUser()
  const greeting = await svcObserve('greet', () => `Hello ${user}!`)
  return (
    <main>
      <div>{greeting}</div>
      <Thumb traceId={'a'.repeat(32)} />
    </main>
  )
}
