import { withSvcConfig } from '@svc/next/config'

export default withSvcConfig({})
