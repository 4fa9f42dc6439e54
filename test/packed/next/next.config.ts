import { withSvcConfig } from '@svc/next/config'
import type { NextConfig } from 'next'

// BUNDLED: as if nobody had said that the AI SDK is to stay outside.
const nextConfig: NextConfig = process.env.BUNDLED
  ? { transpilePackages: ['ai', 'ai-5', '@ai-sdk/openai', 'ai-sdk-openai-2'] }
  : {}

export default withSvcConfig(nextConfig)
