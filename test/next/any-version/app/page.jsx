import { Thumb } from './thumb.jsx'

export default function Page() {
  return <Thumb />
}
