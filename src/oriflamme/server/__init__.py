"""The table over the network: HTTP and WebSocket, a store that loses nothing, and bots in processes of their own."""
