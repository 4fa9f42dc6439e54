import { answer } from '../../../answer.js'

export const dynamic = 'force-dynamic'

export default async function Page({ params }) {
  return <p>{await answer('about', params)}</p>
}
