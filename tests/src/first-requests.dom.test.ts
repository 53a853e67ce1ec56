import { beforeEach, describe, expect, it, vi } from 'vitest'
import { signInAs, owner } from '../support/msw.ts'

const FILE = '/assets/app-1234.js'
const links = () => document.head.querySelectorAll(`link[href="${FILE}"]`).length

beforeEach(() => {
  vi.resetModules()
  localStorage.clear()
  document.head.innerHTML = ''
  document.body.innerHTML = `<template data-app><link rel="modulepreload" href="${FILE}" /></template>`
})

describe("the application's files", () => {
  it('are fetched at once where somebody signed in before', async () => {
    signInAs(owner)
    await import('../../src/first-requests.ts')
    expect(links()).toBe(1)
  })

  it('are left for whoever has not signed in', async () => {
    localStorage.setItem('language', 'en-US')
    await import('../../src/first-requests.ts')
    expect(links()).toBe(0)
  })
})
