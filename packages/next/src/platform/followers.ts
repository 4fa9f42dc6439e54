export { FOLLOWERS as followers, followWebStream as followStream } from '@svc/tracing/adapters'
