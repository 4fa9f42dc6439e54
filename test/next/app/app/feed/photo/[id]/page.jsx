export { default } from '../../../plain/[id]/page.jsx'
