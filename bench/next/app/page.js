import { Thumb } from '#variant/page'

export default function Page() {
  return <Thumb />
}
