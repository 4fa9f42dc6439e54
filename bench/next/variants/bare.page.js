'use client'

export const Thumb = () => <button type="button">good</button>
