'use server'

import { withSvcAction } from '@svc/next'
import { observe } from '@svc/tracing'
import { redirect } from 'next/navigation'

const answer = observe(async (question) => `About ${question}.`, { name: 'answer', asType: 'generation' })

export const ask = withSvcAction(
  { name: 'ask', tags: ['form'], session: (form) => form.get('session') },
  async (form) => {
    await answer(form.get('question'))
  },
)

export const leave = withSvcAction({ name: 'leave' }, async () => redirect('/who?query=moved'))
