/** Has the browser keep the shell and take pushes, where it can: only over https or on this machine itself. */

export interface WorkerPage {
  readonly navigator: { readonly serviceWorker?: Pick<ServiceWorkerContainer, 'register'> }
}

/**
 * Relative to the page, which may be served below a path of a proxy. Without it the page works as well. A new one reads the files of the
 * page once more: it comes when the page has been drawn.
 */
export async function registerWorker({ navigator }: WorkerPage): Promise<void> {
  await navigator.serviceWorker?.register('./service-worker.js', { updateViaCache: 'none' }).catch(() => {})
}
