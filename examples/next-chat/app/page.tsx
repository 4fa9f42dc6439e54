import { svcObserve, svcUser } from '@svc/next'
import { Chat } from './chat'
import { suggestionsFor } from './suggestions'

export default async function Page() {
  const user = await svcUser()
  const suggestions = await svcObserve('suggestions', () => suggestionsFor(user), { asType: 'retriever', input: user })
  return <Chat user={user} suggestions={suggestions} />
}
