"""What the pages accept: shape only; whether it stands is the services' business."""
