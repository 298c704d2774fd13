/// <reference types="svelte" />
/// <reference types="vite/client" />

/** Outlines of icons by name, 512 wide and high. */
declare module 'virtual:icons' {
  const outlines: Record<string, string>
  export default outlines
}
