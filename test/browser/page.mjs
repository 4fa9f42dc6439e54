// What a page would import.
export { SvcBrowserClient } from '@svc/browser'
