"""What the shop does, without knowing who asks."""
